export type Theme = keyof typeof palette;

export const palette = {
  light: "#111111",
  dark: "#EEEEEE",
} satisfies Record<string, string>;

export let current: Theme = "light";

export function setTheme(theme: Theme): void {
  current = theme;
}

import { palette, type Theme } from "./theme";

export type CardProps = {
  title: string;
  theme?: Theme;
  children?: unknown;
};

export function Card({ title, theme = "light", children }: CardProps) {
  const colour = palette[theme];
  const shade = () => {
    return colour.toLowerCase();
  };
  return { html: `<article style="color:${shade()}"><h1>${title}</h1>${String(children)}</article>` };
}

Card.displayName = "Card";

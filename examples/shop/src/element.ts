declare global {
  namespace JSX {
    type Element = string;
    interface IntrinsicElements {
      li: { class?: string };
      ul: { title: string };
    }
  }
}

/** What JSX becomes here: plain text. */
export function element(
  tag: string | ((props: any) => string),
  props: Record<string, unknown> | null,
  ...children: (string | string[])[]
): string {
  const inner = children.flat().join("");
  return typeof tag === "string" ? `<${tag}>${inner}</${tag}>` : tag({ ...props, children: inner });
}

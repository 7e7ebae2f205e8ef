/** @jsxRuntime classic */
import { Card, type CardProps } from "@orchard/ui";

export interface ViewProps extends Omit<CardProps, "children"> {
  total: number;
}

declare global {
  namespace JSX {
    interface Element {
      html: string;
    }
    interface ElementChildrenAttribute {
      children: unknown;
    }
    interface IntrinsicElements {
      p: { class?: string; children?: unknown };
    }
  }
}

const Total = ({ total }: { total: number }) => <p class="total">{total}</p>;

export const render = (props: ViewProps): string => {
  const card = (
    <Card title={props.title}>
      <Total total={props.total} />
    </Card>
  );
  return card.html;
};

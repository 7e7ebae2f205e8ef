import { element } from "./element";
import { format } from "./money";
import type { Line, Order } from "./order";

interface RowProps {
  line: Line;
}

const Row = ({ line }: RowProps) => (
  <li class="row">
    {String(line.count)} × {line.product.describe()}
  </li>
);

/** A receipt as markup. */
export function Receipt({ order }: { order: Order }) {
  return (
    <ul title={order.describe()}>
      {order.lines.map((line) => (
        <Row line={line} />
      ))}
      <li>{format(order.total)}</li>
    </ul>
  );
}

export const GRAM = 1;
export const KILOGRAM = 1000 * GRAM;

export function convert(amount: number, from: number, to: number): number {
  return (amount * from) / to;
}
export { convert as exchange };

const table = new Map([
  ["g", GRAM],
  ["kg", KILOGRAM],
]);
export default table;

/**
 * @typedef {object} TaxRule
 * @property {string} country
 * @property {number} percent
 */

/** @type {TaxRule[]} */
export const rules = [
  { country: "DE", percent: 19 },
  { country: "JP", percent: 10 },
];

/**
 * The tax that a price holds.
 *
 * @param {import("../money").Money} price
 * @param {string} [country]
 * @returns {number}
 */
export function taxOf(price, country = "DE") {
  const rule = rules.find((each) => each.country === country);
  return rule ? Math.round((price.amount * rule.percent) / (100 + rule.percent)) : 0;
}

export class TaxReport {
  /** @param {string} country */
  constructor(country) {
    this.country = country;
    this.total = 0;
  }

  /** @param {import("../money").Money} price */
  include(price) {
    this.total += taxOf(price, this.country);
    return this;
  }
}

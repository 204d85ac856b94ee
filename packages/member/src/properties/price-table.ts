/** What machines cost by the hour, as a file of the user's says it. docs/property-providers.md describes the file. */
import { isJsonObject, JsonFloat, parseGoDuration, type JsonObject, type JsonValue } from '@flotilla/kube';

export interface PriceTable {
  /** When the prices were looked up. */
  readonly updatedAt: Date;
  /** How long they can be trusted. */
  readonly goodForMs: number;
  /** Prices of some machines depend on where they stand. */
  readonly hasRegions: boolean;
  readonly priceOf: (sku: string, region: string | undefined) => number | undefined;
}

/** Where prices come from; asked for every heartbeat, so it remembers what it read. */
export interface PriceSource {
  readonly current: () => Promise<PriceTable>;
}

/** The file is not what it should be; the message says where. */
export class PriceTableError extends Error {
  override readonly name = 'PriceTableError';
}

const day = 24 * 3_600_000;

type Prices = ReadonlyMap<string, number>;

/** `changedAt`: when the file was last changed, for files that do not say when their prices were looked up. */
export function parsePriceTable(value: JsonValue, changedAt: Date): PriceTable {
  if (!isJsonObject(value)) throw new PriceTableError('it holds no object');
  refuseOthers(value, ['updated', 'goodFor', 'currency', 'prices', 'regions']);
  const prices = pricesIn(value['prices'], 'prices');
  const regions = regionsIn(value['regions']);
  return {
    updatedAt: value['updated'] === undefined ? changedAt : momentIn(value['updated']),
    goodForMs: value['goodFor'] === undefined ? day : durationIn(value['goodFor']),
    hasRegions: regions.size > 0,
    priceOf: (sku, region) => (region === undefined ? undefined : regions.get(region)?.get(sku)) ?? prices.get(sku),
  };
}

function refuseOthers(value: JsonObject, known: readonly string[]): void {
  const other = Object.keys(value).find((field) => !known.includes(field));
  if (other !== undefined) throw new PriceTableError(`it knows no field ${other}`);
}

function regionsIn(value: JsonValue | undefined): ReadonlyMap<string, Prices> {
  if (value === undefined) return new Map();
  if (!isJsonObject(value)) throw new PriceTableError('regions is no object');
  return new Map(Object.entries(value).map(([region, prices]) => [region, pricesIn(prices, `regions.${region}`)]));
}

function pricesIn(value: JsonValue | undefined, where: string): Prices {
  if (value === undefined) return new Map();
  if (!isJsonObject(value)) throw new PriceTableError(`${where} is no object`);
  return new Map(Object.entries(value).map(([sku, price]) => [sku, priceIn(price, `${where}.${sku}`)]));
}

function priceIn(value: JsonValue | undefined, where: string): number {
  const price = value instanceof JsonFloat ? value.value : value;
  if (typeof price === 'number' && price >= 0) return price;
  throw new PriceTableError(`${where} is no price: a number that is not negative`);
}

function momentIn(value: JsonValue): Date {
  const moment = typeof value === 'string' ? new Date(value) : undefined;
  if (moment !== undefined && !Number.isNaN(moment.getTime())) return moment;
  throw new PriceTableError('updated is no time, such as 2026-01-31T00:00:00Z');
}

function durationIn(value: JsonValue): number {
  try {
    if (typeof value === 'string') return Number(parseGoDuration(value) / 1_000_000n);
  } catch {
    // Said below, in the file's own words.
  }
  throw new PriceTableError('goodFor is no duration, such as 24h');
}

/** Prices of machines for an hour, from a file of the user. docs/property-providers.md describes the file. */
import { isJsonObject, JsonFloat, parseGoDuration, type JsonObject, type JsonValue } from '@flotilla/kube';

export interface PriceTable {
  /** When the prices were looked up. */
  readonly updatedAt: Date;
  /** How long they stay valid. */
  readonly goodForMs: number;
  /** Whether some prices depend on the region. */
  readonly hasRegions: boolean;
  readonly priceOf: (sku: string, region: string | undefined) => number | undefined;
}

/** Read for every heartbeat, so an implementation caches. */
export interface PriceSource {
  readonly current: () => Promise<PriceTable>;
}

/** The file is invalid. The message names the field. */
export class PriceTableError extends Error {
  override readonly name = 'PriceTableError';
}

const day = 24 * 3_600_000;

type Prices = ReadonlyMap<string, number>;

/** `changedAt` is the modification time of the file, the default of the field `updated`. */
export function parsePriceTable(value: JsonValue, changedAt: Date): PriceTable {
  if (!isJsonObject(value)) throw new PriceTableError('the file is not an object');
  refuseUnknownFields(value, ['updated', 'goodFor', 'currency', 'prices', 'regions']);
  const prices = pricesIn(value['prices'], 'prices');
  const regions = regionsIn(value['regions']);
  return {
    updatedAt: value['updated'] === undefined ? changedAt : timeIn(value['updated']),
    goodForMs: value['goodFor'] === undefined ? day : durationIn(value['goodFor']),
    hasRegions: regions.size > 0,
    priceOf: (sku, region) => (region === undefined ? undefined : regions.get(region)?.get(sku)) ?? prices.get(sku),
  };
}

function refuseUnknownFields(value: JsonObject, known: readonly string[]): void {
  const other = Object.keys(value).find((field) => !known.includes(field));
  if (other !== undefined) throw new PriceTableError(`unknown field ${other}`);
}

function regionsIn(value: JsonValue | undefined): ReadonlyMap<string, Prices> {
  if (value === undefined) return new Map();
  if (!isJsonObject(value)) throw new PriceTableError('regions is not an object');
  return new Map(Object.entries(value).map(([region, prices]) => [region, pricesIn(prices, `regions.${region}`)]));
}

function pricesIn(value: JsonValue | undefined, where: string): Prices {
  if (value === undefined) return new Map();
  if (!isJsonObject(value)) throw new PriceTableError(`${where} is not an object`);
  return new Map(Object.entries(value).map(([sku, price]) => [sku, priceIn(price, `${where}.${sku}`)]));
}

function priceIn(value: JsonValue | undefined, where: string): number {
  const price = value instanceof JsonFloat ? value.value : value;
  if (typeof price === 'number' && price >= 0) return price;
  throw new PriceTableError(`${where} is not a price: it must be a number that is not negative`);
}

function timeIn(value: JsonValue): Date {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  if (time !== undefined && !Number.isNaN(time.getTime())) return time;
  throw new PriceTableError('updated is not a time such as 2026-01-31T00:00:00Z');
}

function durationIn(value: JsonValue): number {
  try {
    if (typeof value === 'string') return Number(parseGoDuration(value) / 1_000_000n);
  } catch {
    // The error below names the field.
  }
  throw new PriceTableError('goodFor is not a duration such as 24h');
}

/** Audit events in a form that does not differ from run to run. */
import type { JsonObject, JsonValue } from '@flotilla/kube';

export function auditIdOf(index: number): string {
  return `row-${index + 1}`;
}

/** Events in the order of their requests and stages, without what differs from run to run. */
export function comparableEvents(lines: readonly string[]): JsonValue[] {
  const events = lines.map((line) => JSON.parse(line) as JsonObject);
  const rowOf = ({ auditID }: JsonObject): number => Number((auditID as string).slice('row-'.length));
  return events.toSorted((a, b) => rowOf(a) - rowOf(b)).map((event) => comparable(event, ''));
}

/** Fields whose values differ from run to run, wherever they are. */
const varying = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'requestReceivedTimestamp',
  'stageTimestamp',
  'lastTransitionTime',
  // Columns of Tables have sentences of ours.
  'description',
]);

function comparable(value: JsonValue, key: string): JsonValue {
  if (typeof value === 'string') return varying.has(key) ? `<${key}>` : comparableText(value);
  if (Array.isArray(value)) return value.map((item) => comparable(item, key));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, comparable(item as JsonValue, name)]);
  return Object.fromEntries(entries) as JsonObject;
}

function comparableText(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/^\d+s$/, '<age>')
    .replace(/some-[a-z0-9]{5}/g, 'some-<suffix>');
}

import { quote, type JsonObject } from '@flotilla/kube';

/** The condition of a schema, without its time: whether the priority level that it names exists. */
export function danglingCondition(level: string, isFound: boolean): JsonObject {
  const what = `This FlowSchema references the PriorityLevelConfiguration object named ${quote(level)}`;
  return isFound
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${what} and it exists` }
    : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${what} but there is no such object` };
}

/** Whether the status has the condition already. */
export function hasCondition(status: JsonObject | undefined, wanted: JsonObject): boolean {
  const conditions = (status?.['conditions'] ?? []) as readonly JsonObject[];
  const current = conditions.find(({ type }) => type === wanted['type']);
  return current !== undefined && Object.entries(wanted).every(([field, value]) => current[field] === value);
}

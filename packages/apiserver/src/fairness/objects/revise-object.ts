import { jsonEquals, type JsonObject, type KubeObject } from '@flotilla/kube';
import { exemptName } from './flow-objects.ts';
import { autoUpdateAnnotation } from './flow-control-owner.ts';

/**
 * The default object with this name as it should be; undefined if nothing is to be changed. The spec of a mandatory object is
 * always restored. That of a suggested one is restored while its annotation says so, or while it has none and was never
 * changed. The annotation then records the decision.
 */
export function revisedObject(current: KubeObject, wanted: JsonObject, isMandatory: boolean): KubeObject | undefined {
  const isUpdated = isMandatory || updatesSpec(current);
  const annotation = autoUpdateOf(current);
  const spec = isUpdated && !hasSpecOf(current, wanted) ? wanted['spec'] : current['spec'];
  if (annotation === isUpdated && spec === current['spec']) return undefined;
  const annotations =
    annotation === isUpdated
      ? current.metadata.annotations
      : { ...current.metadata.annotations, [autoUpdateAnnotation]: String(isUpdated) };
  return { ...current, metadata: { ...current.metadata, annotations }, spec } as KubeObject;
}

/** Whether an object that is no default of this version may be removed: an earlier version made it, and still owns it. */
export function isAbandoned(current: KubeObject): boolean {
  return autoUpdateOf(current) === true;
}

function updatesSpec(current: KubeObject): boolean {
  return autoUpdateOf(current) ?? current.metadata.generation === 1;
}

const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falsehoods: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** Undefined if the annotation is missing or is no boolean of Go. */
function autoUpdateOf({ metadata }: KubeObject): boolean | undefined {
  const value = metadata.annotations?.[autoUpdateAnnotation];
  if (value === undefined) return undefined;
  return truths.has(value) ? true : falsehoods.has(value) ? false : undefined;
}

/** The seats of the level `exempt` belong to the administrator. */
function hasSpecOf(current: KubeObject, wanted: JsonObject): boolean {
  const [spec, expected] = [current['spec'] as JsonObject, wanted['spec'] as JsonObject];
  const isExemptLevel = current.metadata.name === exemptName && spec['exempt'] !== undefined;
  return jsonEquals(spec, isExemptLevel ? { ...expected, exempt: spec['exempt'] ?? null } : expected);
}

import { putAllSorted, putSorted, type ContainerFields, type PodFields, type ResourceList } from '@flotilla/builtins';
import type { LimitRangeFields } from './limit-range-fields.ts';

const annotation = 'kubernetes.io/limit-ranger';

interface Defaults {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** Sets missing resources of containers, and lists them in an annotation of the pod. */
export function setResourceDefaults({ metadata, spec }: PodFields, range: LimitRangeFields): void {
  const defaults = defaultsOf(range);
  const notes = [
    ...(spec.containers ?? []).flatMap((container) => fill(container, defaults, 'container')),
    ...(spec.initContainers ?? []).flatMap((container) => fill(container, defaults, 'init container')),
  ];
  if (notes.length > 0) {
    putSorted((metadata.annotations ??= {}), annotation, `LimitRanger plugin set: ${notes.join('; ')}`);
  }
}

/** Later items override earlier ones. */
function defaultsOf({ spec }: LimitRangeFields): Defaults {
  const defaults: Defaults = { requests: {}, limits: {} };
  for (const item of spec?.limits ?? []) {
    if (item.type !== 'Container') continue;
    putAllSorted(defaults.requests, Object.entries(item.defaultRequest ?? {}));
    putAllSorted(defaults.limits, Object.entries(item.default ?? {}));
  }
  return defaults;
}

function fill(container: ContainerFields, defaults: Defaults, kind: string): string[] {
  const notes: string[] = [];
  for (const [which, word] of [
    ['requests', 'request'],
    ['limits', 'limit'],
  ] as const) {
    const own = container.resources?.[which] ?? {};
    const missing = Object.entries(defaults[which]).filter(([name]) => !Object.hasOwn(own, name));
    if (missing.length === 0) continue;
    putAllSorted(((container.resources ??= {})[which] ??= {}), missing);
    notes.push(`${missing.map(([name]) => name).join(', ')} ${word} for ${kind} ${container.name}`);
  }
  return notes;
}

import {
  humanDuration,
  labelSelectorFrom,
  printLabelSelector,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import type { ColumnDefinition } from './kind.ts';

export const nameColumn: ColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among its kind in a namespace.',
  priority: 0,
};

export const ageColumn: ColumnDefinition = column('Age', 'string', 'Time since the object was created.');

/** A column that `kubectl get` always shows. */
export function column(name: string, type: ColumnDefinition['type'], description: string): ColumnDefinition {
  return { name, type, description, priority: 0 };
}

/** A column that only `kubectl get -o wide` shows. */
export function wideColumn(name: string, type: ColumnDefinition['type'], description: string): ColumnDefinition {
  return { name, type, description, priority: 1 };
}

export function age(object: KubeObject, now: Date): string {
  return timeSince(object.metadata.creationTimestamp, now);
}

/** How long ago a timestamp was, in kubectl's short form: `5m10s`. */
export function timeSince(timestamp: string | null | undefined, now: Date): string {
  return timestamp ? humanDuration(now.getTime() - Date.parse(timestamp)) : '<unknown>';
}

/** `a=b,c=d` sorted by key, or `<none>`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .sort();
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

/** `app=web,tier in (a,b),!old`; empty for a selector that is absent or matches everything. */
export function selectorText(selector: LabelSelectorObject | null | undefined): string {
  try {
    return labelSelectorFrom(selector).toString();
  } catch {
    return '<invalid>';
  }
}

/** As `selectorText`, but `<none>` for an empty result: most kinds print this. */
export function selectorCell(selector: LabelSelectorObject | null | undefined): string {
  return printLabelSelector(selector);
}

interface ContainerFields {
  readonly name: string;
  readonly image?: string;
}

const ofNames = ['Containers', 'string', 'Names of the containers in the pod template.'] as const;
const ofImages = ['Images', 'string', 'Images of the containers in the pod template.'] as const;

export const containersColumn: ColumnDefinition = column(...ofNames);
export const imagesColumn: ColumnDefinition = column(...ofImages);
export const wideContainersColumn: ColumnDefinition = wideColumn(...ofNames);
export const wideImagesColumn: ColumnDefinition = wideColumn(...ofImages);

export function containerNames(containers: readonly ContainerFields[] | undefined): string {
  return (containers ?? []).map(({ name }) => name).join(',');
}

export function containerImages(containers: readonly ContainerFields[] | undefined): string {
  return (containers ?? []).map(({ image }) => image ?? '').join(',');
}

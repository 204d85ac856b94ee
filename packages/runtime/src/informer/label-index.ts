import { ofLabels, type IndexFunction } from './object-index.ts';

export type Indexes = Readonly<Record<string, IndexFunction>>;

/** Lets lists by this label avoid a scan of all objects. */
export function indexByLabel(label: string): Indexes {
  return {
    [labelIndexName(label)]: ofLabels(({ metadata: { labels } }) => {
      const value = labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
      return value === undefined ? [] : [value];
    }),
  };
}

export function labelIndexName(label: string): string {
  return `label:${label}`;
}

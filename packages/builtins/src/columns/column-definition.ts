import type { ColumnDefinition } from '../kind.ts';

/** The first column of every kind. */
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

/** Columns of `kubectl get` that many kinds have. */
import type { PrinterColumn } from '@flotilla/schema';

export const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

export const generation: PrinterColumn = { name: 'Gen', type: 'string', jsonPath: '.metadata.generation' };

export function field(name: string, jsonPath: string): PrinterColumn {
  return { name, type: 'string', jsonPath };
}

/** Shows the status of a condition, or another of its fields. */
export function conditionColumn(name: string, type: string, says = 'status'): PrinterColumn {
  return field(name, `.status.conditions[?(@.type=="${type}")].${says}`);
}

/** Shown with `-o wide` only. */
export function wide(column: PrinterColumn): PrinterColumn {
  return { ...column, priority: 1 };
}

/** How a refused apply says whose fields it would take. */
import { apiErrors } from '../api-errors.ts';
import type { ApiError } from '../api-status.ts';
import { compareBytes, quote } from '../go-format.ts';
import { andMore, listable, maxListed } from '../refusal-size.ts';
import type { Manager } from './managers.ts';
import type { Conflict } from './ownership.ts';
import { pathText } from './path-element.ts';

/** 409 with one cause for each field. */
export function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const sorted = conflicts.toSorted((a, b) => compareBytes(a.identifier, b.identifier));
  const causes = listable(sorted).map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
  return apiErrors.applyConflict(messageOf(sorted), causes);
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const lines: string[] = [];
  for (const [index, { identifier, manager, path }] of listable(conflicts).entries()) {
    if (conflicts[index - 1]?.identifier !== identifier) lines.push(`conflicts with ${managerText(manager)}:`);
    lines.push(`- ${pathText(path)}`);
  }
  if (conflicts.length > maxListed) lines.push(`- ${andMore(conflicts.length - maxListed, 'fields')}`);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText({ name, operation, subresource, apiVersion }: Manager): string {
  const through = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  return `${quote(name)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

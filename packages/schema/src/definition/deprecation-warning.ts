import { byteLength, goJson, type FieldError } from '@flotilla/kube';
import type { DefinitionVersion } from './custom-resource-definition.ts';
import { invalidPrinted } from './schemas/internal-form.ts';

const maxBytes = 256;

/** What Go's `unicode.IsPrint` takes: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const notPrintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

export function validateDeprecationWarning(version: DefinitionVersion, path: string): FieldError[] {
  const { deprecated = false, deprecationWarning: warning } = version;
  if (warning === undefined) return [];
  const problems = deprecated ? problemsOf(warning) : ['can only be set for deprecated versions'];
  return problems.map((problem) => invalidPrinted(`${path}.deprecationWarning`, goJson(warning), problem));
}

function problemsOf(warning: string): string[] {
  const problems: string[] = [];
  if (byteLength(warning) > maxBytes) problems.push(`must be <= ${maxBytes} characters long`);
  if (warning === '') problems.push('must not be an empty string');
  const odd = warning.search(notPrintable);
  if (odd !== -1) {
    const index = byteLength(warning.slice(0, odd));
    const rule = 'must only contain printable UTF-8 characters';
    problems.push(`${rule}; non-printable character found at index ${index}`);
  }
  return problems;
}

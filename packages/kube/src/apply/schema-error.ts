/** A value that does not fit its type. Has one message with the path of the field for each problem. */
import { andMoreErrors, firstListed, maxListed } from '../error-limits.ts';
import { elementText, type PathElement } from './path-element.ts';

export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  constructor(problems: readonly Problem[]) {
    super(problemsText(problems));
  }
}

export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Prefixes each problem's path with the element. */
export function prefixProblems(element: PathElement, problems: readonly Problem[]): readonly Problem[] {
  if (problems.length === 0) return problems;
  const prefix = elementText(element);
  return problems.map(({ path, message }) => ({ path: prefix + path, message }));
}

function problemsText(problems: readonly Problem[]): string {
  const texts = firstListed(problems).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  if (problems.length > maxListed) texts.push(andMoreErrors(problems.length - maxListed));
  return texts.length === 1 ? (texts[0] ?? '') : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

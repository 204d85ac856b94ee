/** Messages that several name rules share. Kubernetes counts characters in some and bytes in others. */

export const noProblems: readonly string[] = [];

export function atMostCharacters(length: number): string {
  return `must be no more than ${length} characters`;
}

export function atMostBytes(length: number): string {
  return `must be no more than ${length} bytes`;
}

export const mustBeNonEmpty = 'must be non-empty';

export function mustBeBetween(lowest: number, highest: number): string {
  return `must be between ${lowest} and ${highest}, inclusive`;
}

/** `… (e.g. 'a', or 'b', regex used for validation is '…')` */
export function regexMessage(message: string, regex: string, ...examples: readonly string[]): string {
  const rule = `regex used for validation is '${regex}'`;
  if (examples.length === 0) return `${message} (${rule})`;
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${rule})`;
}

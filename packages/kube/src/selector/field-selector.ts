import { compareBytes } from '../go/format.ts';
import { SelectorError } from './requirement.ts';

interface FieldTerm {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Returns an empty string for a field that the object does not have. */
type FieldLookup = (field: string) => string;

/** Conditions on a few fields. All must hold. */
export class FieldSelector {
  static readonly everything = new FieldSelector([]);

  readonly terms: readonly FieldTerm[];

  constructor(terms: readonly FieldTerm[]) {
    this.terms = terms;
  }

  get isEmpty(): boolean {
    return this.terms.length === 0;
  }

  matches(valueOf: FieldLookup): boolean {
    for (const { field, operator, value } of this.terms) {
      if ((valueOf(field) === value) !== (operator === '=')) return false;
    }
    return true;
  }

  /** The value that the field must equal, if there is one. */
  exactValueOf(field: string): string | undefined {
    return this.terms.find((term) => term.field === field && term.operator === '=')?.value;
  }

  toString(): string {
    return this.terms.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(',');
  }
}

/** Parses `metadata.name=web,status.phase!=Running`. Throws a SelectorError. */
export function parseFieldSelector(text: string): FieldSelector {
  const parts = splitTerms(text).filter((part) => part !== '');
  const terms = parts.sort(compareBytes).map((part) => parseTerm(part, text));
  // Kubernetes accepts `=` as a condition that always holds.
  return new FieldSelector(terms.filter(({ field, value }) => field !== '' || value !== ''));
}

export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/** Splits at commas without a backslash. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') {
      at++;
    } else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(part: string, whole: string): FieldTerm {
  const found = /!=|==?/.exec(part);
  if (found === null) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${part}'`);
  const value = unescapeValue(part.slice(found.index + found[0].length));
  return { field: part.slice(0, found.index), operator: found[0] === '!=' ? '!=' : '=', value };
}

function unescapeValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  const pieces: string[] = [];
  const characters = text[Symbol.iterator]();
  for (const character of characters) {
    if (character === '\\') pieces.push(escapedCharacter(characters.next().value));
    else if (character === ',' || character === '=') throw unescaped(character);
    else pieces.push(character);
  }
  return pieces.join('');
}

function escapedCharacter(character: string | undefined): string {
  if (character === '\\' || character === ',' || character === '=') return character;
  throw new SelectorError(`invalid field selector: invalid escape sequence: \\${character ?? ''}`);
}

/** Go prints the code point here. */
function unescaped(character: string): SelectorError {
  return new SelectorError(`invalid field selector: unescaped character in value: ${character.codePointAt(0)}`);
}

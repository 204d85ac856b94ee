/** Invalid YAML. The message is that of Go's YAML library, as far as it can be derived. */
import { YAMLException } from 'js-yaml';

export class YamlError extends Error {
  override readonly name = 'YamlError';

  /** Where the text is invalid, counted from one. The line in the message is that of Go's library, which counts otherwise. */
  readonly line: number | undefined;

  /** `problem` has no `yaml: ` prefix. */
  constructor(problem: string, line?: number) {
    super(`yaml: ${problem}`);
    this.line = line;
  }
}

/** Go's library reports lines differently in its scanner and in its parser. */
interface Problem {
  readonly text: string;
  readonly found: 'scanning' | 'parsing';
}

interface Mark {
  readonly line: number;
  readonly position: number;
}

const noToken: Problem = { text: 'found character that cannot start any token', found: 'scanning' };
const noContent: Problem = { text: 'did not find expected node content', found: 'parsing' };
const noKey: Problem = { text: 'did not find expected key', found: 'parsing' };
const noName: Problem = { text: 'did not find expected alphabetic or numeric character', found: 'scanning' };
const noColon: Problem = { text: "could not find expected ':'", found: 'scanning' };
const endInQuotes: Problem = { text: 'found unexpected end of stream', found: 'scanning' };

const problemByReason: ReadonlyMap<string, Problem> = new Map([
  ['tab characters must not be used in indentation', noToken],
  ['unexpected end of the stream within a single quoted scalar', endInQuotes],
  ['unexpected end of the stream within a double quoted scalar', endInQuotes],
  ['unknown escape sequence', { text: 'found unknown escape character', found: 'scanning' }],
  ['expected hexadecimal character', { text: 'did not find expected hexdecimal number', found: 'scanning' }],
  ['name of an anchor node must contain at least one character', noName],
  ['name of an alias node must contain at least one character', noName],
  ['a line break is expected', { text: 'did not find expected comment or line break', found: 'scanning' }],
  ["expected the node content, but found ','", noContent],
  ["expected ':' after a mapping key", noColon],
  ['can not read a block mapping entry; a multiline key may not be an implicit key', noColon],
]);

export function yamlErrorFrom(error: YAMLException, text: string): YamlError {
  const { reason, mark } = error;
  if (mark === undefined) return new YamlError(reason);
  if (reason === 'the stream contains non-printable characters')
    return new YamlError('control characters are not allowed', mark.line + 1);
  const problem = problemByReason.get(reason) ?? problemAt(text, mark.position);
  const line = lineOf(problem, mark, text);
  return new YamlError(line === 0 ? problem.text : `line ${line}: ${problem.text}`, mark.line + 1);
}

/** The problem that Go's library would report at this position. */
function problemAt(text: string, position: number): Problem {
  const rest = text.slice(position, position + 2);
  const before = text.slice(0, position).trimEnd().at(-1) ?? '';
  if (/^[@`%\t]/.test(rest)) return noToken;
  if (rest.startsWith(':')) return { text: 'mapping values are not allowed in this context', found: 'scanning' };
  if (/^[-?](?:\s|$)/.test(rest) && !/\n *$/.test(text.slice(0, position))) {
    const what = rest.startsWith('-') ? 'block sequence entries' : 'mapping keys';
    return { text: `${what} are not allowed in this context`, found: 'scanning' };
  }
  if (/^[\]},]/.test(rest)) return before === ':' ? noContent : noKey;
  return unfinishedAt(text, position, before) ?? noKey;
}

/** Unclosed quotes or brackets. */
function unfinishedAt(text: string, position: number, before: string): Problem | undefined {
  const open = innermostOpen(text, position);
  if (open === undefined) return undefined;
  if (open === '"' || open === "'") return endInQuotes;
  if ('[{,:'.includes(before)) return noContent;
  return { text: `did not find expected ',' or '${open === '[' ? ']' : '}'}'`, found: 'parsing' };
}

function innermostOpen(text: string, end: number): string | undefined {
  const open: string[] = [];
  let quotes = '';
  for (let at = 0; at < end; at++) {
    const character = text.charAt(at);
    if (quotes !== '') {
      if (character === '\\' && quotes === '"') at++;
      else if (character === quotes) quotes = '';
    } else if ('"\''.includes(character) && /[\s[{,]/.test(text.charAt(at - 1) || ' ')) {
      quotes = character;
    } else if (character === '[' || character === '{') {
      open.push(character);
    } else if (character === ']' || character === '}') {
      open.pop();
    }
  }
  return quotes === '' ? open.at(-1) : quotes;
}

/** Lines count from one in the scanner and from zero in the parser. The first line is omitted. */
function lineOf({ text: problem, found }: Problem, { line, position }: Mark, text: string): number {
  const lastLine = text.split('\n').length - 1;
  if (problem === endInQuotes.text) return lastLine === 0 ? 0 : lastLine + 1;
  if (problem === noColon.text) return line + 2;
  if (found === 'scanning') return line === 0 ? 0 : line + 1;
  const endsWithoutNewline = text.slice(position).trim() === '' && !text.endsWith('\n');
  return endsWithoutNewline ? line + 1 : line;
}

import type { Source } from '../ast.ts';

/** An error in an expression. Without an offset it concerns the whole. */
export interface Issue {
  readonly offset: number | undefined;
  readonly message: string;
}

export function createSource(text: string): Source {
  const lineOffsets: number[] = [];
  let codePoints = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (!isLowSurrogateOfPair(text, index, unit)) codePoints++;
    if (unit === newlineCode) lineOffsets.push(codePoints);
  }
  return { text, lineOffsets };
}

/** Converts UTF-16 indices to code points. The identity if the two never differ. */
export function codePointOffsets(text: string): (index: number) => number {
  if (!astralPattern.test(text)) return (index) => index;
  const offsets = new Uint32Array(text.length + 1);
  let codePoints = 0;
  for (let index = 0; index < text.length; index++) {
    if (isLowSurrogateOfPair(text, index, text.charCodeAt(index))) {
      offsets[index] = codePoints - 1;
    } else {
      offsets[index] = codePoints++;
    }
  }
  offsets[text.length] = codePoints;
  return (index) => offsets[index] ?? codePoints;
}

/** All issues in source order, each with its line and a marker. */
export function renderIssues(source: Source, issues: readonly Issue[]): string {
  const lines = source.text.split('\n');
  const located = issues.slice(0, maxIssues).map(({ offset, message }) => ({ ...locate(source, offset), message }));
  located.sort((a, b) => a.line - b.line || a.column - b.column);
  const blocks = located.map(({ line, column, message }) => {
    const heading = `ERROR: <input>:${line}:${column + 1}: ${message}`;
    const snippet = source.text === '' ? undefined : lines[line - 1];
    return snippet === undefined || Buffer.byteLength(snippet) > maxSnippetBytes
      ? heading
      : `${heading}${mark(snippet, column)}`;
  });
  if (issues.length > maxIssues) blocks.push(`${issues.length - maxIssues} more errors were truncated`);
  return blocks.join('\n');
}

const maxIssues = 100;
const maxSnippetBytes = 16_384;
const newlineCode = 10;
const astralPattern = /[\u{10000}-\u{10ffff}]/u;

function locate(source: Source, offset: number | undefined): { line: number; column: number } {
  if (offset === undefined) return { line: -1, column: -1 };
  const { lineOffsets } = source;
  let low = 0;
  let high = lineOffsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lineOffsets[middle] as number) <= offset) low = middle + 1;
    else high = middle;
  }
  return { line: low + 1, column: offset - (low === 0 ? 0 : (lineOffsets[low - 1] as number)) };
}

/** Wide characters get wide dots. */
function mark(snippet: string, column: number): string {
  const shown = snippet.replaceAll('\t', ' ');
  let dots = '';
  let index = 0;
  for (let passed = 0; passed < column && index < shown.length; passed++) {
    const codePoint = shown.codePointAt(index) as number;
    dots += codePoint < 0x80 ? '.' : '\uff0e';
    index += codePoint > 0xffff ? 2 : 1;
  }
  const isWide = index < shown.length && shown.charCodeAt(index) >= 0x80;
  return `\n | ${shown}\n | ${dots}${isWide ? '\uff3e' : '^'}`;
}

function isLowSurrogateOfPair(text: string, index: number, unit: number): boolean {
  if (unit < 0xdc00 || unit > 0xdfff || index === 0) return false;
  const before = text.charCodeAt(index - 1);
  return before >= 0xd800 && before <= 0xdbff;
}

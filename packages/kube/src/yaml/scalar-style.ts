/** How Go's YAML library writes a string: plain where that reads back, else in quotes or as a block. */
import { isMeaningful } from './resolve-scalar.ts';

type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

const base60Pattern = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Written like a time, which Go's library reads as a text, but takes care to quote. */
const timestampPattern = /^\d{4}-\d\d?-\d\d?(?:[Tt ]|$)/;

const forbiddenStart = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \t]|$))/;
const forbiddenInside = /:(?:[ \t]|$)|[ \t\r\n]#/;

/** Everything else is shown as an escape: tabs, control characters, and all beyond the basic plane. */
const allPrintable = /^[\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;

export function scalarStyleOf(text: string, isKey: boolean): ScalarStyle {
  const isMultiline = text.includes('\n');
  if (!allPrintable.test(text) || / \n/.test(text)) return 'double';
  if (isMultiline) return isKey || text.endsWith(' ') ? 'double' : 'literal';
  // Go's library forgets to quote a key that reads as a merge.
  if (isKey && text === '<<') return 'double';
  if (isMeaningful(text) || base60Pattern.test(text) || timestampPattern.test(text)) return 'double';
  const isPlain = !forbiddenStart.test(text) && !forbiddenInside.test(text) && !/^ | $/.test(text);
  return isPlain ? 'plain' : 'single';
}

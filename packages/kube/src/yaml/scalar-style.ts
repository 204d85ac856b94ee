/** How Go's YAML library writes a string: plain where that reads back, else in quotes or as a block. */
import { isMeaningful } from './resolve-scalar.ts';

type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

const BASE60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Written like a time, which Go's library reads as a text, but takes care to quote. */
const TIMESTAMP = /^\d{4}-\d\d?-\d\d?(?:[Tt ]|$)/;

const FORBIDDEN_START = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \t]|$))/;
const FORBIDDEN_INSIDE = /:(?:[ \t]|$)|[ \t\r\n]#/;

/** Everything else is shown as an escape: tabs, control characters, and all beyond the basic plane. */
const ALL_PRINTABLE = /^[\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;

export function scalarStyleOf(text: string, isKey: boolean): ScalarStyle {
  const isMultiline = text.includes('\n');
  if (!ALL_PRINTABLE.test(text) || / \n/.test(text)) return 'double';
  if (isMultiline) return isKey || text.endsWith(' ') ? 'double' : 'literal';
  // Go's library forgets to quote a key that reads as a merge.
  if (isKey && text === '<<') return 'double';
  if (isMeaningful(text) || BASE60.test(text) || TIMESTAMP.test(text)) return 'double';
  const isPlain = !FORBIDDEN_START.test(text) && !FORBIDDEN_INSIDE.test(text) && !/^ | $/.test(text);
  return isPlain ? 'plain' : 'single';
}

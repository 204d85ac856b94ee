/** Text from users on its way into source code: it may neither end a comment nor leave its quotes. */

/** A description as a comment above what it describes; nothing for none. */
export function comment(description: string | undefined, indent: string): string {
  const text = (description ?? '').trim().replaceAll('*/', '*\u200b/');
  if (text === '') return '';
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} *${line && ` ${line}`}`), `${indent} */`, ''].join('\n');
}

/** A field's name as an interface writes it: quoted where it is no identifier. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

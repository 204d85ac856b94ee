import type { StaticToken } from './bearer-tokens.ts';

/** Parses a file for kube-apiserver's `--token-auth-file`: lines of `token,user,uid,"group1,group2"`. */
export function parseTokenFile(text: string): StaticToken[] {
  const tokens: StaticToken[] = [];
  for (const record of csvRecords(text)) {
    const [token = '', name = '', uid = '', groups] = record;
    if (record.length < 3) {
      throw new Error(`a token file must have at least 3 columns (token, user name, user uid), found ${record.length}`);
    }
    if (token === '') continue;
    tokens.push({ token, user: { name, ...(uid !== '' && { uid }), groups: groups?.split(',') ?? [] } });
  }
  return tokens;
}

/** Comma-separated values; a quoted one may contain commas, and `""` for a quote. */
function csvRecords(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map(fieldsOf);
}

const field = /"((?:[^"]|"")*)"(?=,|$)|([^",]*)(?=,|$)/y;

function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  for (let position = 0; position <= line.length; position = field.lastIndex + 1) {
    field.lastIndex = position;
    const found = field.exec(line);
    if (!found) throw new Error(`stray quotes in field ${fields.length + 1} of a line of comma-separated values`);
    const [, quoted, plain = ''] = found;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
  }
  return fields;
}

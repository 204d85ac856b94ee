/** PEM as Go's decoder reads it: blocks between BEGIN and END lines, with anything between them ignored. */
interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const blockPattern = /-----BEGIN ([^\n-]*)-----[ \t]*\r?\n([^-]*?)\r?\n?-----END \1-----/g;

export function pemBlocks(text: string): PemBlock[] {
  return Array.from(text.matchAll(blockPattern), ([, type = '', body = '']) => {
    const hasHeaders = body.includes(':');
    const base64 = hasHeaders ? body.slice(body.lastIndexOf(':')).replace(/^.*\n/, '') : body;
    return { type, hasHeaders, bytes: Buffer.from(base64, 'base64') };
  });
}

import { get } from 'node:https';

export interface Document {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface DocumentRequest {
  readonly url: string;
  /** CA certificates in PEM; absent: those of the operating system. */
  readonly authority: string | undefined;
  readonly signal: AbortSignal;
}

/** Gets a small document from an HTTPS server. Follows no redirects. */
export type GetDocument = (request: DocumentRequest) => Promise<Document>;

const maxDocumentBytes = 1024 * 1024;

export const getDocument: GetDocument = ({ url, authority, signal }) =>
  new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'user-agent': 'flotilla' };
    // Documents are read minutes apart, and a new connection finds an issuer that has moved.
    const options = { headers, signal, agent: false, ...(authority !== undefined && { ca: authority }) };
    const outgoing = get(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxDocumentBytes) outgoing.destroy(new Error('the document is larger than 1 MiB'));
        else chunks.push(chunk);
      });
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) });
      });
    });
    outgoing.on('error', reject);
  });

import { request } from 'node:https';
import { isIP } from 'node:net';

/** A request to an HTTPS server of a user. */
export interface WebhookCall {
  /** The host in the URL is verified against the certificate. */
  readonly url: URL;
  /** The URL in error messages. */
  readonly shownUrl: string;
  /** The address to connect to, if the host cannot be resolved. */
  readonly address?: { readonly host: string; readonly port: number };
  /** CA certificates in PEM; absent: those of the operating system. */
  readonly authority?: string;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Rejects with the error message of Go's HTTP client. */
export type CallWebhook = (call: WebhookCall) => Promise<WebhookAnswer>;

/** Larger answers are cut off; no valid answer is so large. */
const maxAnswerBytes = 64 * 1024 * 1024;

export const callWebhook: CallWebhook = (call) => {
  const { url, shownUrl, address, authority, body, timeoutMs } = call;
  const host = address?.host ?? url.hostname.replace(/^\[|\]$/g, '');
  const name = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      outgoing.destroy();
      reject(new Error(`Post ${JSON.stringify(shownUrl)}: ${why}`));
    };
    const outgoing = request({
      host,
      port: address?.port ?? (url.port || 443),
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      ...(isIP(name) === 0 && { servername: name }),
      ...(authority !== undefined && { ca: authority }),
      headers: {
        host: url.host,
        'content-type': 'application/json',
        accept: 'application/json',
        'content-length': body.length,
      },
      // No keep-alive, so that a moved webhook is found at once.
      agent: false,
    });
    const deadline = setTimeout(() => fail('context deadline exceeded'), timeoutMs);
    outgoing.on('error', (error: NodeJS.ErrnoException) => fail(goMessage(error, call)));
    outgoing.on('close', () => clearTimeout(deadline));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxAnswerBytes) fail('the answer is too large');
        else chunks.push(chunk);
      });
      incoming.on('error', (error) => fail(error.message));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    outgoing.end(body);
  });
};

function goMessage({ code = '', message }: NodeJS.ErrnoException, { url, address }: WebhookCall): string {
  const port = address?.port ?? (url.port || 443);
  if (code === 'ECONNREFUSED') return `dial tcp ${address?.host ?? url.hostname}:${port}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${url.hostname}: no such host`;
  if (code === 'ECONNRESET') return 'EOF';
  if (unknownAuthority.has(code)) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `tls: failed to verify certificate: x509: certificate is not valid for ${url.hostname}`;
  }
  return message;
}

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

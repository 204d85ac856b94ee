import { once } from 'node:events';

/** Says `GET /health` like etcd, and knows nothing else. Resolves with what ends it. */
export async function answerHealth({ hostname, port }: URL): Promise<() => void> {
  // An import of node:http loads Node's own HTTP client as well, and every suite waits for this stub.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((request, response) => {
    const isHealth = request.method === 'GET' && request.url === '/health';
    response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isHealth ? '{"health":"true","reason":""}' : '');
  });
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

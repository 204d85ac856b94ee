/** A webhook on this machine, in a process of its own: `/mutate` adds an annotation, everything else allows the request. */
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { freshCredentials } from '@flotilla/apiserver';

const { server: identity } = await freshCredentials(['127.0.0.1'], new Date());
const { key, certificate, authority } = identity;
const operations = [{ op: 'add', path: '/metadata/annotations', value: { mutated: 'yes' } }];
const patch = { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
const server = createSecureServer({ key, cert: certificate, allowHTTP1: true }, (request, response) => {
  void buffer(request).then((body) => {
    const { request: review } = JSON.parse(body.toString()) as { request: { uid: string } };
    const changes = request.url.startsWith('/mutate') ? patch : {};
    const answer = { uid: review.uid, allowed: true, ...changes };
    const text = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: answer });
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `https://127.0.0.1:${port}`, authority });
});
process.on('disconnect', () => process.exit());

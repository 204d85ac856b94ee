import { decodeTyped, typeOfKind } from '@flotilla/builtins';
import { apiErrors, type JsonObject } from '@flotilla/kube';
import type { Call } from '../../call/call.ts';
import { checkOptionsKind, deleteOptions, type DeleteOptions } from '../../request/delete-options.ts';
import { encodings } from '../../request/negotiate.ts';
import { decodeOptionsMessage } from '../../resources/protobuf-codec.ts';
import { bodyEncoding, parseBody, readBody, typeMetaOf } from './read-body.ts';

/** DeleteOptions from the body, or from the query if the body is empty. Go clients send them as protobuf. */
export async function readDeleteOptions(call: Call): Promise<DeleteOptions> {
  const { request, info } = call;
  const received = await readBody(call);
  if (received.plainSize === 0) return deleteOptions(info.query, undefined);
  const encoding = bodyEncoding(request.headers['content-type'], encodings);
  const body = parseBody(received, encoding, '');
  if (body.encoding === 'protobuf') {
    const { kind, apiVersion, object } = decodeOptionsMessage(body.bytes, optionsKind);
    checkOptionsKind(kind, apiVersion);
    call.audit?.setRequestObject({ ...recordedKind, ...object, ...recordedKind });
    return deleteOptions(info.query, object);
  }
  const { kind, apiVersion, object } = typeMetaOf(body, '');
  checkOptionsKind(kind, apiVersion);
  const decoded = decodeOptions(object);
  call.audit?.setRequestObject({ ...recordedKind, ...decoded, ...recordedKind });
  return deleteOptions(info.query, decoded);
}

/** What Kubernetes records, of whatever version the options are. */
const recordedKind = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' };

/** No resource has this kind, so no codec decodes it. */
const optionsKind = { group: '', version: 'v1', kind: 'DeleteOptions' };

function decodeOptions(value: JsonObject): JsonObject {
  const type = typeOfKind(optionsKind);
  if (!type) throw new Error('the field table lacks DeleteOptions');
  const { object, problems } = decodeTyped(type, value);
  if (problems.error !== undefined) throw apiErrors.badRequest(problems.error);
  return object;
}

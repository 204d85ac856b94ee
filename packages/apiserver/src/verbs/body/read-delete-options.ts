import { decodeOptions } from '../../resources/meta-kinds.ts';
import { checkOptionsKind, deleteOptions, type DeleteOptions } from '../../request/delete-options.ts';
import { apiErrors } from '@flotilla/kube';
import { encodings } from '../../request/negotiate.ts';
import type { Call } from '../../call/call.ts';
import { bodyEncoding, parseBody, readBytes, typeMetaOf } from './read-body.ts';

/** DeleteOptions from the body, or from the query if the body is empty. Go clients send them as protobuf. */
export async function readDeleteOptions(call: Call): Promise<DeleteOptions> {
  const { request, info } = call;
  const bytes = await readBytes(call);
  if (bytes.length === 0) return deleteOptions(info.query, undefined);
  const encoding = bodyEncoding(request.headers['content-type'], encodings);
  const body = parseBody(bytes, encoding, '');
  if (body.encoding === 'protobuf') {
    const { kind, apiVersion, options } = decodeOptions.fromProtobuf(bytes);
    checkOptionsKind(kind, apiVersion);
    return deleteOptions(info.query, options);
  }
  const { kind, apiVersion, object } = typeMetaOf(body, '');
  checkOptionsKind(kind, apiVersion);
  const { options, error } = decodeOptions.fromJson(object);
  if (error !== undefined) throw apiErrors.badRequest(error);
  return deleteOptions(info.query, options);
}

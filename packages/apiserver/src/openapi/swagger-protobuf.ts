import { apiErrors, type JsonObject } from '@flotilla/kube';

/** The v2 document in gnostic's protobuf form. */
export function encodeSwagger(_document: JsonObject): Uint8Array {
  throw apiErrors.notAcceptable(['application/json']);
}

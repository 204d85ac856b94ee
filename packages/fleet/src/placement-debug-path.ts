/** OCM's debug endpoint for Placements: `GET /debug/placements/NAMESPACE/NAME`, and `POST /debug/placements/` with a Placement. */
import { ocmPlacements, type OcmPlacement } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { DebugReport, PlacementDebug } from '@flotilla/controllers';
import {
  ApiError,
  apiVersionOf,
  decodeUtf8,
  errorMessage,
  isJsonObject,
  parseJson,
  stringifyJson,
  type ApiRequest,
  type ApiResponse,
  type JsonObject,
} from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';

/** For the server: all paths below it. */
export const placementDebugPath = '/debug/placements/';

/** The controllers start, another replica has the lease, or OCM does the work. */
const notScheduling = 'this hub does not schedule placements at the moment';

/** As in OCM. */
const maxBody = 1024 * 1024;

/** A client with the rights of the caller, which the endpoint closes. Rejects if the caller may not use the path. */
export type ClientOfCaller = (request: ApiRequest) => Promise<Client>;

export interface DebugSource {
  readonly debug: Pick<PlacementDebug, 'explain'>;
  readonly clientOf: ClientOfCaller;
  readonly turns: LoopTurns;
}

/** Answers from the moment the hub's controllers run. */
export class PlacementDebugPath {
  #source: DebugSource | undefined;

  open(source: DebugSource): void {
    this.#source = source;
  }

  readonly handle = async (request: ApiRequest): Promise<ApiResponse> => {
    try {
      return answer(200, await this.#report(request));
    } catch (error) {
      const { status, message } = failureOf(error);
      return answer(status, { error: message });
    }
  };

  async #report(request: ApiRequest): Promise<DebugReport> {
    if (request.method !== 'GET' && request.method !== 'POST') throw new Refused(405, 'method not allowed');
    if (this.#source === undefined) throw new Refused(503, notScheduling);
    const { debug, clientOf, turns } = this.#source;
    const client = await clientOf(request);
    try {
      const placement = request.method === 'GET' ? await stored(client, request.path) : await posted(client, request);
      const { explain } = debug;
      if (explain === undefined) throw new Refused(503, notScheduling);
      for (;;) {
        const report = explain(placement);
        if (report !== undefined) return report;
        // A long match of expressions continues in the next turn.
        await turns.next();
        request.signal.throwIfAborted();
      }
    } finally {
      await client.close();
    }
  }
}

/** Reads with the rights of the user. */
async function stored(client: Client, path: string): Promise<OcmPlacement> {
  const [namespace = '', name = '', ...more] = path.slice(placementDebugPath.length).split('/').filter(Boolean);
  if (name === '' || more.length > 0) throw new Refused(400, `the path must be ${placementDebugPath}NAMESPACE/NAME`);
  return client.get(ocmPlacements, { namespace, name });
}

/** A dry run checks the rights of the user and the object, and sets defaults. Nothing is stored. */
async function posted(client: Client, request: ApiRequest): Promise<OcmPlacement> {
  const body = bodyOf(decodeUtf8(await request.body(maxBody)));
  const { namespace, name }: JsonObject = isJsonObject(body['metadata']) ? body['metadata'] : {};
  const metadata = { namespace: typeof namespace === 'string' ? namespace : 'default', generateName: 'debug-' };
  const spec = isJsonObject(body['spec']) ? body['spec'] : {};
  const object = { apiVersion: apiVersionOf(ocmPlacements), kind: ocmPlacements.kind, metadata, spec } as OcmPlacement;
  const created = await client.create(ocmPlacements, object, { dryRun: true });
  const { generateName: _ignored, ...rest } = created.metadata;
  return { ...created, metadata: { ...rest, name: typeof name === 'string' ? name : '' } };
}

function bodyOf(text: string): JsonObject {
  let value;
  try {
    ({ value } = parseJson(text));
  } catch (error) {
    throw new Refused(400, errorMessage(error));
  }
  if (!isJsonObject(value)) throw new Refused(400, 'the body must be a Placement');
  return value;
}

/** An answer to the caller. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Only what the user may know: other errors are the server's. */
function failureOf(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof Refused) return error;
  if (!(error instanceof ApiError)) return { status: 500, message: 'internal error' };
  const { code, message } = error;
  if (code === 403) return { status: code, message: `user does not have permission to get placements: ${message}` };
  return { status: code === 413 ? 400 : code, message };
}

function answer(status: number, body: object): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(`${stringifyJson(body as JsonObject)}\n`),
  };
}

/** Plays the rows of a topic on a server: kube-apiserver for recording, ours for tests. */
import type { JsonObject, JsonValue } from '@flotilla/kube';
import { recordedAnswer, type Reply } from './recorded-answer.testing.ts';
import { definitionOf, definitionsPath, type ShortDefinition } from './recorded-definition.testing.ts';
import type { RecordedAnswer, Row, Step } from './recorded-rows.testing.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  readonly accept?: string;
}

export interface PlayedServer {
  readonly send: (request: Request) => Promise<Reply>;
  /** Waits for the server's background work. */
  readonly pause: () => Promise<void>;
}

/** The user agent, which is the manager in managedFields. */
export const playerName = 'rows';

const maxAttempts = 200;

export async function setUp(server: PlayedServer, definitions: readonly ShortDefinition[]): Promise<void> {
  for (const step of definitions.map(creationOf)) await mustSucceed(server, step);
}

export async function tearDown(server: PlayedServer, definitions: readonly ShortDefinition[]): Promise<void> {
  await deleteCreated(server, definitions.map(creationOf));
}

function creationOf(definition: ShortDefinition): Step {
  return { send: `POST ${definitionsPath}`, definition };
}

/** Returns the answer to each step, and deletes what the row created. */
export async function playRow(server: PlayedServer, { given = [], steps }: Row): Promise<RecordedAnswer[]> {
  try {
    for (const step of given) await mustSucceed(server, step);
    const answers: RecordedAnswer[] = [];
    for (const step of steps) answers.push(recordedAnswer(await sendStep(server, step), step.shows));
    return answers;
  } finally {
    await deleteCreated(server, [...given, ...steps]);
  }
}

async function mustSucceed(server: PlayedServer, step: Step): Promise<void> {
  const { code, text } = await sendStep(server, step);
  if (code >= 300) throw new Error(`${step.send} was refused with ${code}: ${text}`);
}

async function sendStep(server: PlayedServer, step: Step): Promise<Reply> {
  const { method, path } = targetOf(step);
  const body = bodyOf(step);
  const reply = await server.send({
    method,
    path,
    ...(body !== undefined && { body }),
    ...(step.type !== undefined && { type: step.type }),
    ...(step.accept !== undefined && { accept: step.accept }),
  });
  const isChanged = reply.code < 300 && method !== 'GET' && !path.includes('dryRun=');
  if (isChanged && path.startsWith(definitionsPath)) {
    if (!step.isUnsettled) await settled(server, nameOf(path, body));
    else for (let turn = 0; turn < 5; turn++) await server.pause();
  }
  return reply;
}

function targetOf({ send }: Step): { method: string; path: string } {
  const [method = '', path = ''] = send.split(' ', 2);
  return { method, path };
}

function bodyOf({ text, definition, body }: Step): string | undefined {
  if (text !== undefined) return text;
  if (definition !== undefined) return JSON.stringify(definitionOf(definition));
  return body === undefined ? undefined : JSON.stringify(body);
}

/** The name in the path, or in the body that is posted. */
function nameOf(path: string, body: string | undefined): string {
  const inPath = path.split('?')[0]?.slice(definitionsPath.length).split('/')[1];
  if (inPath !== undefined) return inPath;
  return (JSON.parse(body ?? '{}') as { metadata: { name: string } }).metadata.name;
}

interface Definition {
  readonly metadata: { readonly deletionTimestamp?: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Waits until the definition is served completely, its names are refused, or it is deleted. */
async function settled(server: PlayedServer, name: string): Promise<void> {
  for (let turn = 0; turn < maxAttempts; turn++) {
    await server.pause();
    const { code, text } = await server.send({ method: 'GET', path: `${definitionsPath}/${name}` });
    if (code === 404) return;
    if (await isSettled(server, JSON.parse(text) as Definition)) return;
  }
  throw new Error(`the definition ${name} did not settle`);
}

async function isSettled(server: PlayedServer, { metadata, spec, status }: Definition): Promise<boolean> {
  if (metadata.deletionTimestamp !== undefined) return false;
  const statusOf = (type: string): string | undefined =>
    status?.conditions?.find((condition) => condition.type === type)?.status;
  if (statusOf('NamesAccepted') === 'False') return true;
  if (statusOf('Established') !== 'True') return false;
  for (const { name, served } of spec.versions) {
    const path = `/apis/${spec.group}/${name}`;
    if ((await isListed(server, path, spec.names.plural)) !== served) return false;
    // Discovery and the handler notice a change one after the other, and a new storage needs time to load.
    const { code } = await server.send({ method: 'GET', path: `${path}/${spec.names.plural}?limit=1` });
    if (code === 429 || (code !== 404) !== served) return false;
  }
  return true;
}

async function isListed(server: PlayedServer, path: string, plural: string): Promise<boolean> {
  const { code, text } = await server.send({ method: 'GET', path });
  if (code !== 200) return false;
  return (JSON.parse(text) as { resources: { name: string }[] }).resources.some(({ name }) => name === plural);
}

/** Deletes the newest first, so that objects go before their definitions. */
async function deleteCreated(server: PlayedServer, steps: readonly Step[]): Promise<void> {
  for (const path of steps.flatMap(createdBy).toReversed()) {
    await server.send({ method: 'PATCH', path, type: mergePatch, body: JSON.stringify(withoutFinalizers) });
    const { code } = await server.send({ method: 'DELETE', path });
    if (code < 300 && path.startsWith(definitionsPath)) await settled(server, nameOf(path, undefined));
  }
}

const mergePatch = 'application/merge-patch+json';
const withoutFinalizers = { metadata: { finalizers: null } };

function createdBy(step: Step): string[] {
  const { method, path } = targetOf(step);
  if (path.includes('dryRun=')) return [];
  if (step.type === 'application/apply-patch+yaml') return [path.split('?')[0] ?? ''];
  if (method !== 'POST') return [];
  const { metadata } = (parsed(bodyOf(step)) ?? {}) as { metadata?: { name?: JsonValue } };
  return typeof metadata?.name === 'string' ? [`${path.split('?')[0]}/${metadata.name}`] : [];
}

function parsed(text: string | undefined): JsonObject | undefined {
  try {
    return JSON.parse(text ?? 'null') as JsonObject;
  } catch {
    return undefined;
  }
}

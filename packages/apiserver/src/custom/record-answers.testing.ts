/**
 * Records the answers of kube-apiserver v1.36 to the rows in `recorded/`:
 * node packages/apiserver/src/custom/record-answers.testing.ts --kubeconfig FILE [TOPIC...]
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { unordered, type Reply } from './recorded-answer.testing.ts';
import { definitionsPath } from './recorded-definition.testing.ts';
import { playerName, playRow, setUp, tearDown, type PlayedServer, type Request } from './recorded-player.testing.ts';
import {
  formatTopic,
  loadTopic,
  recordedFolder,
  topicNames,
  type RecordedAnswer,
  type Row,
  type Topic,
} from './recorded-rows.testing.ts';

const { values, positionals } = parseArgs({
  options: { kubeconfig: { type: 'string' } },
  allowPositionals: true,
});
if (values.kubeconfig === undefined) throw new Error('--kubeconfig FILE is required: the server to record');

const kubectl = (...args: string[]): string =>
  execFileSync('kubectl', ['--kubeconfig', values.kubeconfig ?? '', ...args], { encoding: 'utf8' });
const { serverVersion } = JSON.parse(kubectl('version', '-o', 'json')) as { serverVersion: { gitVersion: string } };
// Expectations come from Kubernetes; recording our own answers would prove nothing.
if (serverVersion.gitVersion.includes('flotilla')) throw new Error('this server is Flotilla, not kube-apiserver');

const {
  clusters: [cluster],
  users: [user],
} = JSON.parse(kubectl('config', 'view', '--minify', '--raw', '-o', 'json')) as {
  clusters: [{ cluster: { server: string } }];
  users: [{ user: { token: string } }];
};

/** The user has just started this server, so its certificate is not verified. */
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
const server: PlayedServer = { send, pause: () => sleep(150) };

/** kube-apiserver publishes OpenAPI documents some time after it serves a definition. */
const documentDelayMs = 5000;

for (const name of topicNames()) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const rows = await recordedRows(loadTopic(name));
  const origin = `kube-apiserver ${serverVersion.gitVersion}`;
  writeFileSync(new URL(`${name}.json`, recordedFolder), formatTopic({ ...loadTopic(name), origin, rows }));
  console.log(`${name}: ${rows.length} rows`);
}

async function recordedRows({ definitions = [], rows }: Topic): Promise<Row[]> {
  try {
    await setUp(server, definitions);
    if (definitions.length > 0) await sleep(documentDelayMs);
    const recorded: Row[] = [];
    for (const row of rows) recorded.push({ ...row, answers: await answersTo(row) });
    return recorded;
  } finally {
    await tearDown(server, definitions);
  }
}

/** Repeats the row: parts whose order differs between answers have no order. */
async function answersTo(row: Row): Promise<RecordedAnswer[]> {
  const isSlow = [...(row.given ?? []), ...row.steps].some(({ send }) => send.endsWith(definitionsPath));
  let answers = await playRow(server, row);
  for (let round = 1; round < (isSlow ? 3 : 10); round++) {
    const next = await playRow(server, row);
    answers = answers.map((answer, index) => common(row, answer, next[index]));
  }
  return answers;
}

function common(row: Row, answer: RecordedAnswer, again: RecordedAnswer | undefined): RecordedAnswer {
  const { inAnyOrder: _, ...plain } = answer;
  if (isDeepStrictEqual(plain, again)) return answer;
  if (again === undefined || !isDeepStrictEqual(unordered(plain), unordered(again))) {
    throw new Error(`answers differ for: ${row.says}\n${JSON.stringify(answer)}\n${JSON.stringify(again)}`);
  }
  return { ...plain, inAnyOrder: true };
}

function send({ method, path, body, type = 'application/json', accept = 'application/json' }: Request): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const headers = {
    authorization: `Bearer ${user.user.token}`,
    'content-type': type,
    accept,
    'user-agent': playerName,
  };
  const sent = request(`${cluster.cluster.server}${path}`, { agent, method, headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('end', () => {
      resolve({ code: response.statusCode ?? 0, warnings: warningsIn(response.rawHeaders), text });
    });
  });
  sent.on('error', reject).end(body);
  return promise;
}

/** `299 - "text"`, each in a separate header. */
function warningsIn(headers: readonly string[]): string[] {
  return headers
    .filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'warning')
    .map((value) => JSON.parse(value.slice(value.indexOf('"'))) as string);
}

/** Compares our answers about custom resources with those of kube-apiserver v1.36: `recorded/README.md`. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { unordered, type Reply } from './recorded-answer.testing.ts';
import { playerName, playRow, setUp, tearDown, type PlayedServer, type Request } from './recorded-player.testing.ts';
import { loadTopic, topicNames, type RecordedAnswer, type Row } from './recorded-rows.testing.ts';

for (const name of topicNames()) {
  const { definitions = [], rows } = loadTopic(name);
  suite(`${name} is answered as recorded`, () => {
    let server: PlayedServer;
    before(async () => {
      server = played(await startTestServer());
      await setUp(server, definitions);
    });
    after(() => tearDown(server, definitions));
    for (const row of rows) test(`${row.rule}: ${row.says}`, async () => replay(server, row));
  });
}

async function replay(server: PlayedServer, row: Row): Promise<void> {
  const answers = await playRow(server, row);
  const expected = row.answers ?? [];
  assert.deepEqual(
    answers.map((answer, index) => comparable(answer, expected[index])),
    expected.map((answer) => comparable(answer, answer)),
  );
}

function comparable(answer: RecordedAnswer, expected: RecordedAnswer | undefined): RecordedAnswer {
  return expected?.inAnyOrder ? unordered(answer) : answer;
}

function played(server: TestServer): PlayedServer {
  return { send: (request) => send(server, request), pause: () => nextTurn() };
}

async function send(server: TestServer, { method, path, body, type, accept }: Request): Promise<Reply> {
  const { status, headers, text } = await server.request(method, path, {
    agent: playerName,
    ...(body !== undefined && { body }),
    ...(type !== undefined && { type }),
    ...(accept !== undefined && { accept }),
  });
  return { code: status, warnings: warningsIn(headers), text };
}

/** `299 - "text"`, one or several. */
function warningsIn(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string[] {
  const value = headers['warning'] ?? [];
  return [value].flat().map((warning) => JSON.parse(warning.slice(warning.indexOf('"'))) as string);
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { textOf } from './print-events.ts';
import type { ReadyFleet } from './up-event.ts';

const reader = { columns: undefined, tools: { flotilla: 'flotilla', hasKubectl: true } };

const fleet: ReadyFleet = {
  name: 'shop',
  pid: 7,
  url: 'https://127.0.0.1:6443',
  kubeconfig: '/data/kubeconfig',
  hubContext: 'hub',
  memberContext: 'member-1',
  members: 3,
  waiting: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  readyMs: 840,
};

describe('what flotilla up prints', () => {
  test('says where the data is, and that an earlier release made it', () => {
    const starting = { name: 'fleet', dataDirectory: '/w/.data/hub', isOlder: true };
    assert.equal(
      textOf({ starting }, reader),
      'Starting fleet "fleet" with the data directory /w/.data/hub, which an earlier release made.',
    );
    assert.equal(
      textOf({ starting }, { ...reader, columns: 40 }),
      'Starting fleet "fleet" with the data\ndirectory /w/.data/hub, which an earlier\nrelease made.',
    );
  });

  test('ends with commands to try and how to stop it', () => {
    assert.equal(
      textOf({ ready: fleet }, reader),
      `2 members have joined.
1 member waits for its MemberCluster.
Ready after 0.8 s.

Try it:
  export KUBECONFIG=/data/kubeconfig
  flotilla status
  kubectl --context hub get memberclusters
  kubectl --context member-1 get nodes

Ctrl-C stops it.`,
    );
  });

  test('names only programs that are there, and words that a shell understands', () => {
    const tools = { flotilla: 'npx flotilla', hasKubectl: false };
    assert.match(
      textOf({ ready: { ...fleet, kubeconfig: '/my data/kubeconfig' } }, { ...reader, tools }),
      /\n {2}export KUBECONFIG='\/my data\/kubeconfig'\n {2}npx flotilla status\n {2}npx flotilla get memberclusters --context hub\n {2}npx flotilla get nodes --context member-1\n/,
    );
  });

  test('names contexts as they are in the kubeconfig of kubectl', () => {
    const text = textOf({ ready: { ...fleet, mergedInto: '/home/a/.kube/config' } }, reader);
    assert.doesNotMatch(text, /export/);
    assert.match(text, /--context shop-hub get .*\n.*--context shop-member-1 get /);
  });

  test('names a fleet that runs already, and its log', () => {
    const { readyMs: _, ...running } = fleet;
    const text = textOf({ ready: { ...running, log: '/data/up.log' } }, reader);
    assert.match(text, /^Fleet "shop" already runs at https:.* since 2026-01-01T00:00:00\.000Z \(process 7\)\.\n/);
    assert.match(text, /logs to \/data\/up\.log\. Stop it with:\n {2}flotilla down --name shop$/);
  });
});

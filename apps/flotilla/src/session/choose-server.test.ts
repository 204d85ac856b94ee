import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseServer, type ServerCandidate } from './choose-server.ts';

function aServer(source: string, currentContext: string, ...contexts: string[]): ServerCandidate {
  return { source, currentContext: () => currentContext, hasContext: (name) => contexts.includes(name) };
}

describe('the server of a command without --kubeconfig', () => {
  const here = aServer('here', 'hub', 'hub', 'member-1');
  const kubectl = aServer("kubectl's", 'prod', 'prod', 'test');
  const kubectlWithoutCurrent = aServer("kubectl's", '', 'prod');
  const elsewhere = aServer('elsewhere', 'hub', 'hub', 'member-9');
  const cases: readonly (readonly [string, readonly ServerCandidate[], string | undefined, string | undefined])[] = [
    ['is the fleet of the working directory', [here, kubectl, elsewhere], undefined, 'here'],
    ["is kubectl's current context before a fleet elsewhere", [kubectl, elsewhere], undefined, "kubectl's"],
    ['is the fleet elsewhere without a current context', [kubectlWithoutCurrent, elsewhere], undefined, 'elsewhere'],
    ['is left to kubectl if nothing is found', [kubectlWithoutCurrent], undefined, undefined],
    ['is the first that has the wanted context', [here, kubectl, elsewhere], 'test', "kubectl's"],
    ['may be any that has the wanted context', [here, kubectl, elsewhere], 'member-9', 'elsewhere'],
    ['is the first one if none has the wanted context', [here, kubectl, elsewhere], 'none', 'here'],
  ];
  for (const [claim, candidates, context, expected] of cases) {
    test(claim, async () => assert.equal((await chooseServer(candidates, context))?.source, expected));
  }
});

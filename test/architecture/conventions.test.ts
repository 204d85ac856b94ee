/** Rules that no type and no linter checks. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { root, sourcesOf, textOf } from './sources.ts';

test('modules keep no state but what ADR 20 lists', () => {
  const state =
    /^(?:export )?let \w|^(?:export )?const (?!no[A-Z])\w+(?:: (?!Readonly)[^=]+)? = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)/m;
  const stateful = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|testing)\.ts$/.test(file))
    .filter((file) => state.test(textOf(file)));
  const page = textOf('docs/adr/0020-module-state.md');
  const listed = [...page.matchAll(/\]\(\.\.\/\.\.\/(packages\/[^)]+)\)/g)].map(([, file = '']) => file);
  assert.deepEqual(new Set(stateful), new Set(listed));
});

/**
 * Files that may call the engine's own `JSON.stringify` or `structuredClone`: on strings, and on what the program itself
 * made. Objects of users hold bigints, which the first refuses, and `JsonFloat`s, which the second takes apart.
 */
const printsOwnValues: readonly string[] = [
  'apps/flotilla/src/agent/request-headers.ts',
  'apps/flotilla/src/commands/backup.ts',
  'apps/flotilla/src/commands/envtest.ts',
  'apps/flotilla/src/commands/restore.ts',
  'apps/flotilla/src/configuration.ts',
  'apps/flotilla/src/fleets/running-fleets.ts',
  'apps/flotilla/src/fleets/stop-fleet.ts',
  'apps/flotilla/src/up/print-events.ts',
  'apps/flotilla/src/hub/agent-manifests.ts',
  'apps/flotilla/src/kubeconfig-file.ts',
  'apps/flotilla/src/member/members.ts',
  'packages/api/src/reference/constraints.ts',
  'packages/apiserver/src/access/authentication/issuer-discovery.ts',
  'packages/apiserver/src/access/authentication/json-web-token.ts',
  'packages/apiserver/src/access/rbac/rule-index.ts',
  'packages/apiserver/src/access/rbac/rule-text.ts',
  'packages/apiserver/src/admission/pod-security/pod-security.ts',
  'packages/apiserver/src/own-requests/server-request.ts',
  'packages/apiserver/src/api-services/availability.ts',
  'packages/apiserver/src/bootstrap/rbac/reconcile.ts',
  'packages/apiserver/src/custom/conversion/conversion-review.ts',
  'packages/apiserver/src/custom/conversion/conversion-webhook.ts',
  'packages/apiserver/src/custom/definitions/definitions.ts',
  'packages/apiserver/src/webhooks/resolve-service.ts',
  'packages/apiserver/src/webhooks/webhook-call.ts',
  'packages/apiserver/src/openapi/openapi.ts',
  'packages/apiserver/src/resources/object-bytes.ts',
  'packages/apiserver/src/store/sqlite/log-rows.ts',
  'packages/apiserver/src/verbs/reading/continue-token.ts',
  'packages/apiserver/src/verbs/reading/list.ts',
  'packages/builtins/src/kinds/autoscaling/horizontal-pod-autoscaler.ts',
  'packages/builtins/src/kinds/core-pods/internal/internal-form.ts',
  'packages/builtins/src/kinds/core-pods/pod-life.ts',
  'packages/builtins/src/kinds/core-pods/pod-update.ts',
  'packages/builtins/src/kinds/core-pods/pod.ts',
  'packages/builtins/src/kinds/core-services/service-allocation.ts',
  'packages/builtins/src/kinds/node/runtime-class.ts',
  'packages/builtins/src/kinds/storage/storage-class.ts',
  'packages/controllers/src/clusters/kept-owners.ts',
  'packages/fleet/src/kubeconfig.ts',
  'packages/fleet/src/member-credentials.ts',
  'packages/fleet/src/start-fleet.ts',
  'packages/housekeeping/src/role-aggregation/decide.ts',
  'packages/kube/src/apply/managers.ts',
  'packages/kube/src/apply/path-element.ts',
  'packages/kube/src/json/go-json.ts',
  'packages/kube/src/json/value.ts',
  'packages/kube/src/json/stringify-json.ts',
  'packages/kube/src/logger.ts',
  'packages/member/src/apply/manifest/decode-manifest.ts',
  'packages/member/src/apply/round/process-manifest.ts',
  'packages/member/src/properties/checked-properties.ts',
  'packages/runtime/src/events/event-correlator.ts',
  'packages/schema/src/typescript/print-types.ts',
  'packages/schema/src/typescript/source-text.ts',
  'packages/schema/src/typescript/type-printer.ts',
  'packages/testkit/src/wire.ts',
];

test('user objects are printed and copied only by functions that keep large numbers exact', () => {
  const callers = sourcesOf('{packages,apps}/*/src').filter((file) =>
    /\b(?:JSON\.stringify|structuredClone)\(/.test(textOf(file)),
  );
  assert.deepEqual(
    callers.filter((file) => !printsOwnValues.includes(file)),
    [],
  );
});

describe('common nouns', () => {
  const files = globSync(['{packages,apps}/*/src/**/*.ts', '{bench,test}/**/*.ts'], { cwd: root });

  test('no file declares a kind that kube declares for all', () => {
    const declared = (file: string): string[] =>
      [...textOf(file).matchAll(/kind: '\w+',\s+plural: '(\w+)'(?:,\s+namespaced| \})/g)].map(
        ([, plural = '']) => plural,
      );
    const wellKnown = 'packages/kube/src/well-known-kinds.ts';
    const known = new Set(declared(wellKnown));
    const again = files.filter((file) => file !== wellKnown && declared(file).some((plural) => known.has(plural)));
    assert.ok(known.size > 0);
    assert.deepEqual(again, []);
  });

  test('constants are named in camelCase', () => {
    assert.deepEqual(
      files.filter((file) => /^(?:export )?const [A-Z][A-Z0-9_]+\b/m.test(textOf(file))),
      [],
    );
  });
});

/** Files that may call `setImmediate`: the module that all others yield through, a batch, and a thread of its own. */
const plansTurns: readonly string[] = [
  'packages/apiserver/src/store/engine/group-commit.ts',
  'packages/apiserver/src/store/sqlite/sqlite-worker.ts',
  'packages/testkit/src/manual-clock.ts',
  'packages/timing/src/loop-turns.ts',
];

test('work yields to the event loop through @flotilla/timing alone', () => {
  const callers = sourcesOf('{packages,apps}/*/src').filter((file) => /\bsetImmediate\b/.test(textOf(file)));
  assert.deepEqual(
    callers.filter((file) => !plansTurns.includes(file)),
    [],
  );
});

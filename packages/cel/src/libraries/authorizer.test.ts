import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile, createEnvironment } from '../environment.ts';
import { program } from '../evaluate/program.ts';
import { CelError, type Result } from '../value.ts';
import {
  authorizerType,
  createAuthorizer,
  createResourceCheck,
  resourceCheckType,
  type AuthorizationAttributes,
} from './authorizer.ts';
import { kubernetesLibraries } from './kubernetes.ts';

const environment = createEnvironment({
  libraries: kubernetesLibraries,
  variables: new Map([
    ['authorizer', authorizerType],
    ['authorizer.requestResource', resourceCheckType],
  ]),
});

function evaluate(text: string): { value: Result; cost: number; asked: readonly AuthorizationAttributes[] } {
  const asked: AuthorizationAttributes[] = [];
  const decide = (attributes: AuthorizationAttributes) => {
    asked.push(attributes);
    return { isAllowed: attributes.verb === 'get', reason: 'because' };
  };
  const requested = { group: 'apps', resource: 'deployments', subresource: '', namespace: 'default', name: 'web' };
  const compiled = compile(environment, text);
  assert.ok('ast' in compiled, 'text' in compiled ? compiled.text : '');
  const ready = program(environment, compiled.ast);
  assert.ok(!(ready instanceof CelError));
  const evaluation = ready.evaluate({
    authorizer: createAuthorizer(decide),
    'authorizer.requestResource': createResourceCheck(decide, requested),
  });
  return { ...evaluation, asked };
}

test('a check collects attributes and runs with a verb', () => {
  const { value, asked, cost } = evaluate(
    "authorizer.serviceAccount('ns', 'sa').group('').resource('pods').subresource('log').namespace('a').name('b').labelSelector('x=y').check('get').allowed()",
  );
  assert.equal(value, true);
  assert.deepEqual(asked, [
    {
      verb: 'get',
      serviceAccount: { namespace: 'ns', name: 'sa' },
      group: '',
      resource: 'pods',
      subresource: 'log',
      namespace: 'a',
      name: 'b',
      fieldSelector: '',
      labelSelector: 'x=y',
    },
  ]);
  assert.ok(cost > 350_000);
});

test('checks paths and the requested resource', () => {
  assert.equal(evaluate("authorizer.path('/healthz').check('get').reason()").value, 'because');
  const { value, asked } = evaluate("authorizer.requestResource.check('delete').allowed()");
  assert.equal(value, false);
  assert.equal(asked[0]?.verb, 'delete');
});

test('empty paths, empty resources and invalid accounts are errors', () => {
  const message = (text: string): unknown => {
    const { value } = evaluate(text);
    return value instanceof CelError && value.message;
  };
  assert.equal(message("authorizer.path(' ').check('get').allowed()"), 'path must not be empty');
  assert.equal(message("authorizer.group('').resource('').check('get').allowed()"), 'resource must not be empty');
  assert.equal(
    message("authorizer.serviceAccount('a', 'B').path('/').check('get').allowed()"),
    'Invalid service account name',
  );
  assert.equal(
    message("authorizer.serviceAccount('A', 'b').path('/').check('get').allowed()"),
    'Invalid service account namespace',
  );
});

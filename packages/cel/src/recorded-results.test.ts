/** Results of Kubernetes' own functions in kube-apiserver v1.36.4. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { compile, createEnvironment } from './environment.ts';
import { program } from './evaluate/program.ts';
import { kubernetesLibraries } from './libraries/kubernetes.ts';
import { CelError } from './value.ts';

type Recorded = { readonly value: string } | { readonly error: string };

const results = JSON.parse(readFileSync(new URL('recorded/library-results.json', import.meta.url), 'utf8')) as Record<
  string,
  Recorded
>;
const environment = createEnvironment({ libraries: kubernetesLibraries });

describe("Kubernetes' functions return the results of kube-apiserver", () => {
  for (const [text, expected] of Object.entries(results)) {
    test(text, () => {
      const compiled = compile(environment, text);
      assert.ok('ast' in compiled, 'text' in compiled ? compiled.text : '');
      const ready = program(environment, compiled.ast);
      assert.ok(!(ready instanceof CelError));
      const { value } = ready.evaluate({});
      assert.deepEqual(value instanceof CelError ? { error: value.message } : { value }, expected);
    });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRules } from '../../rules.testing.ts';
import { approvalRequestDefinition, clusterApprovalRequestDefinition } from './approval-request-schema.ts';

const request = (targetStage: string) => ({ spec: { parentStageRollout: 'run', targetStage } });

const rules = [
  {
    title: 'keeps its spec',
    refused: { from: request('first'), to: request('second') },
    says: 'spec: Invalid value: The spec field is immutable',
    accepted: { from: request('first'), to: { ...request('first'), metadata: { name: 'app', labels: { a: 'b' } } } },
  },
];

testRules(clusterApprovalRequestDefinition, ['v1', 'v1alpha1', 'v1beta1'], rules);
testRules(approvalRequestDefinition, ['v1', 'v1beta1'], rules);

test('kubectl shows the run and stage of an approval request', () => {
  for (const { spec } of [clusterApprovalRequestDefinition, approvalRequestDefinition]) {
    for (const { additionalPrinterColumns: columns = [] } of spec.versions) {
      assert.deepEqual(
        columns.map(({ name, jsonPath }) => [name, jsonPath]),
        [
          ['Update-Run', '.spec.parentStageRollout'],
          ['Stage', '.spec.targetStage'],
          ['Approved', '.status.conditions[?(@.type=="Approved")].status'],
          ['Age', '.metadata.creationTimestamp'],
        ],
      );
    }
  }
});

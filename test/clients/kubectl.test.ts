import { describe } from 'node:test';
import { availability } from '@flotilla/testkit';
import { missingClient } from './clients-folder.ts';
import { playScenarios } from './play-scenarios.ts';

const kubectl = availability('kubectl', missingClient('kubectl'));

// Two at a time, because they wait for most of their time.
describe('kubectl prints what it prints on kube-apiserver', { concurrency: 2 }, () => {
  playScenarios(kubectl, ({ name }) => name !== 'client-go');
});

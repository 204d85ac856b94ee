import { describe } from 'node:test';
import { availability } from '@flotilla/testkit';
import { missingClient } from './clients-folder.ts';
import { playScenarios } from './play-scenarios.ts';

describe('client-go sees what it sees on kube-apiserver', availability('go', missingClient('clientgo')), () => {
  playScenarios(({ name }) => name === 'client-go');
});

import { ADMINISTRATION } from './catalogue.ts';
import { everyState } from './every-state.ts';

everyState(ADMINISTRATION);

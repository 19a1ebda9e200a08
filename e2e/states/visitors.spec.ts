import { VISITORS } from './catalogue.ts';
import { everyState } from './every-state.ts';

everyState(VISITORS);

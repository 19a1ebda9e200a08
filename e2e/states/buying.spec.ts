import { BUYING } from './catalogue.ts';
import { everyState } from './every-state.ts';

everyState(BUYING);

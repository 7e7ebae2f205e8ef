import { calls } from "../src/decorators";
import { Admin, MemoryStore, User, byId } from "../src/index";
import { equal } from "./check";

const ada = new User("u1", " Ada");
equal(ada.rename(" Ada Lovelace "), " Ada");
equal(ada.name, "Ada Lovelace");
equal(calls.get("rename"), 1);

const store = new MemoryStore<User>().put(ada, new Admin("u2", "Grace"), User.guest());
equal(byId(store)("u2").describe(), "Grace (admin)");
equal(store.size, 3);

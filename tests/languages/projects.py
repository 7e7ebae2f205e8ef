"""One small shop per language: the same symbols, so that the contract is the same for every row.

In each, `Order` is a type with a member `total`; `checkout` makes an order and asks for its total; a second file uses
both; a third holds an `Order` of its own that must not be mixed up with the first.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    """files: by path. outline: of `main`, as `line kind name`. uses: of Order, as `path:line`.

    member: how the member is asked for. callers: of the member. block: how what inspect shows of it begins.
    added: a further file that uses Order, its text, and where it does. diagnostics: whether the server has some.
    """

    row: str
    files: dict[str, str]
    main: str
    user: str
    outline: list[str]
    uses: list[str]
    member: str
    member_uses: list[str]
    callers: list[str]
    block: str
    documentation: str
    added: tuple[str, str, str]
    diagnostics: bool = True


PYTHON = Project(
    "python",
    {
        "shop/__init__.py": "from shop.order import Order as Order\n",
        "shop/order.py": '''
            """Orders."""

            from functools import cached_property

            LIMIT = 3


            class Order:
                """What a customer buys."""

                def __init__(self, price: int) -> None:
                    self.price = price

                # The member that is asked for.
                @cached_property
                def total(self) -> int:
                    """The price, with a fee."""

                    def fee() -> int:
                        return LIMIT

                    return self.price + fee()
            ''',
        "shop/checkout.py": """
            from shop.order import Order


            def checkout(price: int) -> int:
                order = Order(price)
                return order.total  # Order in a comment is none
            """,
        "shop/report.py": """
            import shop
            from shop import order as orders
            from shop.checkout import checkout


            def report(order: orders.Order) -> str:
                return f"{order.total} {checkout(1)} {shop.Order(2).total} Order"
            """,
        "legacy/order.py": """
            class Order:
                total = 1


            def make() -> Order:
                return Order()
            """,
    },
    main="shop/order.py",
    user="shop/checkout.py",
    outline=[
        "5 Constant LIMIT",
        "8 Class Order",
        "11 Constructor Order.__init__",
        "16 Method Order.total",
    ],
    uses=[
        "shop/__init__.py:1",
        "shop/__init__.py:1",
        "shop/checkout.py:1",
        "shop/checkout.py:5",
        "shop/report.py:6",
        "shop/report.py:7",
    ],
    member="Order.total",
    member_uses=["shop/checkout.py:6", "shop/report.py:7", "shop/report.py:7"],
    callers=["checkout", "report"],
    block="    # The member that is asked for.\n    @cached_property\n    def total(self) -> int:",
    documentation="The price, with a fee.",
    added=("shop/extra.py", "from shop.order import Order\n\nEXTRA = Order(4)\n", "shop/extra.py:3"),
)

_HEADER = """
#pragma once

namespace shop {

/// What a customer buys.
class Order {
 public:
  explicit Order(int price) : price_(price) {}
  // The member that is asked for.
  int total() const;

 private:
  int price_;
};

}  // namespace shop
"""
C = Project(
    "c",
    {
        "order.hpp": _HEADER,
        "order.cpp": """
            #include "order.hpp"

            namespace shop {

            int Order::total() const { return price_ + 3; }

            }  // namespace shop
            """,
        "checkout.cpp": """
            #include "order.hpp"

            int checkout(int price) {
              shop::Order order(price);
              return order.total();  // Order in a comment is none
            }
            """,
        "legacy/order.cpp": """
            namespace other {
            struct Order {
              int total() const { return 1; }
            };
            int make() { return Order().total(); }
            }  // namespace other
            """,
    },
    main="order.hpp",
    user="checkout.cpp",
    outline=[
        "3 Namespace shop",
        "6 Class shop.Order",
        "8 Constructor shop.Order.Order",
        "10 Method shop.Order.total",
        "13 Property shop.Order.price_",
    ],
    uses=["checkout.cpp:4", "order.cpp:5"],
    member="Order.total",
    member_uses=["checkout.cpp:5"],
    callers=["checkout"],
    block="  // The member that is asked for.\n  int total() const;",
    documentation="The member that is asked for.",
    added=("extra.cpp", '#include "order.hpp"\n\nint extra() { return shop::Order(4).total(); }\n', "extra.cpp:3"),
    diagnostics=False,
)

PROJECTS = (PYTHON, C)

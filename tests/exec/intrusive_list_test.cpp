#include <benchkit/exec/intrusive_list.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <vector>

namespace {

struct red;
struct blue;

using red_hook = benchkit::detail::list_hook<red>;
using blue_hook = benchkit::detail::list_hook<blue>;

struct item : red_hook, blue_hook {
    explicit item(int number) : id(number) {}
    int id;
};

using red_list = benchkit::detail::intrusive_list<item, red>;
using blue_list = benchkit::detail::intrusive_list<item, blue>;

template <class List>
std::vector<int> take_all(List& list) {
    std::vector<int> ids;
    while (!list.empty()) ids.push_back(list.pop_front().id);
    return ids;
}

}  // namespace

TEST_CASE("objects come out in the order in which they went in") {
    item one(1), two(2), three(3);
    red_list list;
    CHECK(list.empty());
    list.push_back(one);
    list.push_back(two);
    list.push_back(three);
    CHECK(list.front().id == 1);
    CHECK(take_all(list) == std::vector{1, 2, 3});
    CHECK(list.empty());
    CHECK_FALSE(one.red_hook::linked());
}

TEST_CASE("an object leaves from any place, twice without harm") {
    for (const int leaving : {1, 2, 3}) {
        item one(1), two(2), three(3);
        red_list list;
        for (item* each : {&one, &two, &three}) list.push_back(*each);
        item& left = leaving == 1 ? one : leaving == 2 ? two : three;
        left.red_hook::unlink();
        left.red_hook::unlink();
        CHECK_FALSE(left.red_hook::linked());
        std::vector<int> others;
        for (const int id : {1, 2, 3}) {
            if (id != leaving) others.push_back(id);
        }
        CHECK(take_all(list) == others);
    }
}

TEST_CASE("going in again moves an object to the end, out of whatever list of that tag it was in") {
    item one(1), two(2);
    red_list list, other;
    list.push_back(one);
    list.push_back(two);
    list.push_back(one);
    CHECK(list.front().id == 2);
    other.push_back(two);
    CHECK(take_all(list) == std::vector{1});
    CHECK(take_all(other) == std::vector{2});
}

TEST_CASE("with a hook per tag an object is in several lists at once") {
    item one(1), two(2);
    red_list reds;
    blue_list blues;
    reds.push_back(one);
    reds.push_back(two);
    blues.push_back(two);
    blues.push_back(one);
    one.red_hook::unlink();
    CHECK(one.blue_hook::linked());
    CHECK(take_all(reds) == std::vector{2});
    CHECK(take_all(blues) == std::vector{2, 1});
}

TEST_CASE("who ends first, object or list, leaves the other in order") {
    red_list list;
    item stays(1);
    list.push_back(stays);
    {
        item goes(2);
        list.push_back(goes);
    }
    CHECK(take_all(list) == std::vector{1});

    std::optional<red_list> short_lived(std::in_place);
    short_lived->push_back(stays);
    short_lived.reset();
    CHECK_FALSE(stays.red_hook::linked());
    list.push_back(stays);
    CHECK(take_all(list) == std::vector{1});
}

TEST_CASE("a copy is in no list") {
    item one(1);
    red_list list;
    list.push_back(one);
    const item copy = one;
    CHECK_FALSE(copy.red_hook::linked());
    item assigned(3);
    assigned = one;
    CHECK_FALSE(assigned.red_hook::linked());
    CHECK(take_all(list) == std::vector{1});
}
